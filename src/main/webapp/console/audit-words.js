// What the audit tells, in words. An action that is not here is shown as the API has it.
const KINDS = {
  sandbox: 'Sandboxes',
  capture_policy: 'Capture policies',
  snapshot: 'Snapshots',
  template: 'Templates',
  volume: 'Volumes',
  project: 'Projects',
  retention: 'Retention',
  key: 'Keys',
  console: 'Console',
  webhook: 'Webhooks',
  worker: 'Workers',
  job: 'Jobs',
  audit: 'Audit',
  unsupported: 'Other',
}

/** What was wanted; whether it was done is the outcome's to say. */
const ACTIONS = {
  'sandbox.create': 'Create a sandbox',
  'sandbox.restore': 'Restore a sandbox',
  'sandbox.fork': 'Fork a sandbox',
  'sandbox.pause': 'Pause a sandbox',
  'sandbox.resume': 'Resume a sandbox',
  'sandbox.change': 'Change a sandbox',
  'sandbox.end': 'End a sandbox',
  'sandbox.use': 'Use a sandbox in the Workbench',
  'capture_policy.set': 'Set a capture policy',
  'capture_policy.remove': 'Remove a capture policy',
  'snapshot.capture': 'Ask for a snapshot',
  'snapshot.save': 'Save a snapshot',
  'snapshot.cancel': 'Cancel a capture',
  'snapshot.change': 'Change a snapshot',
  'snapshot.delete': 'Delete a snapshot',
  'snapshot.expire': 'Let a snapshot expire',
  'snapshot.pin': 'Pin a snapshot',
  'snapshot.unpin': 'Unpin a snapshot',
  'snapshot.hold': 'Hold a snapshot',
  'snapshot.bring_back': 'Bring a snapshot back',
  'snapshot.purge': 'Purge a snapshot',
  'snapshot.look': 'Look into a snapshot',
  'snapshot.compare': 'Compare snapshots',
  'template.upload': 'Upload a template',
  'template.delete': 'Delete a template',
  'volume.create': 'Create a volume',
  'volume.change': 'Change a volume',
  'volume.write': 'Change what is in a volume',
  'volume.delete': 'Delete a volume',
  'project.create': 'Create a project',
  'project.change': 'Change a project',
  'retention.change': 'Change the retention policy',
  'project.close': 'Close a project',
  'project.reopen': 'Reopen a project',
  'project.purge': 'Purge a project',
  'key.create': 'Create a key',
  'key.change': 'Change a key',
  'key.revoke': 'Revoke a key',
  'console.sign_in': 'Sign in',
  'console.sign_out': 'Sign out',
  'webhook.create': 'Create a webhook',
  'webhook.change': 'Change a webhook',
  'webhook.rotate': 'Rotate a webhook’s secret',
  'webhook.replay': 'Replay deliveries',
  'webhook.delete': 'Delete a webhook',
  'worker.drain': 'Drain a worker',
  'worker.undrain': 'End a worker’s drain',
  'job.start': 'Start a job',
  'job.stop': 'Stop a job',
  'job.restart': 'Restart a job',
  'audit.summary': 'Many refusals, told as one',
  unsupported: 'Ask for what is not offered',
}

export const actionWords = (action) => ACTIONS[action] ?? action

/** For a choice, by what they are done to. */
export const ACTION_CHOICES = Object.entries(KINDS).map(([kind, label]) => [
  kind,
  label,
  Object.entries(ACTIONS).filter(([word]) => word === kind || word.startsWith(`${kind}.`)),
])

export const OUTCOMES = {
  done: ['saved', 'done', 'Done'],
  refused: ['waiting', 'keys', 'Refused'],
  failed: ['failed', 'failed', 'Failed'],
}

/** What is wrong with a chain. */
export const BREACHES = {
  audit_changed: 'an entry is not what it was when it was written',
  audit_missing: 'an entry is gone from the middle or the end',
  audit_unlinked: 'an entry came in beside the chain',
  audit_backdated: 'an entry came in long after it claims to have been written',
  audit_rewritten: 'the chain is another than the one that was verified before',
}
