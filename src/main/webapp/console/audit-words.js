// What the audit tells, in words. An action that is not here is shown as the API has it.
const KINDS = {
  sandbox: 'Sandboxes',
  capture_policy: 'Capture policies',
  snapshot: 'Snapshots',
  template: 'Templates',
  project: 'Projects',
  retention: 'Retention',
  key: 'Keys',
  console: 'Console',
  webhook: 'Webhooks',
  job: 'Jobs',
  audit: 'Audit',
  unsupported: 'Other',
}

const ACTIONS = {
  'sandbox.create': 'Created a sandbox',
  'sandbox.restore': 'Restored a sandbox',
  'sandbox.fork': 'Forked a sandbox',
  'sandbox.pause': 'Paused a sandbox',
  'sandbox.resume': 'Resumed a sandbox',
  'sandbox.change': 'Changed a sandbox',
  'sandbox.end': 'Ended a sandbox',
  'capture_policy.set': 'Set a capture policy',
  'capture_policy.remove': 'Removed a capture policy',
  'snapshot.capture': 'Asked for a snapshot',
  'snapshot.save': 'Saved a snapshot',
  'snapshot.cancel': 'Cancelled a capture',
  'snapshot.change': 'Changed a snapshot',
  'snapshot.delete': 'Deleted a snapshot',
  'snapshot.expire': 'Let a snapshot expire',
  'snapshot.pin': 'Pinned a snapshot',
  'snapshot.unpin': 'Unpinned a snapshot',
  'snapshot.hold': 'Held a snapshot',
  'snapshot.bring_back': 'Brought a snapshot back',
  'snapshot.purge': 'Purged a snapshot',
  'snapshot.look': 'Looked into a snapshot',
  'snapshot.compare': 'Compared snapshots',
  'template.upload': 'Uploaded a template',
  'template.delete': 'Deleted a template',
  'project.create': 'Created a project',
  'project.change': 'Changed a project',
  'retention.change': 'Changed the retention policy',
  'project.close': 'Closed a project',
  'project.reopen': 'Reopened a project',
  'project.purge': 'Purged a project',
  'key.create': 'Created a key',
  'key.change': 'Changed a key',
  'key.revoke': 'Revoked a key',
  'console.sign_in': 'Signed in',
  'console.sign_out': 'Signed out',
  'webhook.create': 'Created a webhook',
  'webhook.change': 'Changed a webhook',
  'webhook.rotate': 'Rotated a webhook’s secret',
  'webhook.replay': 'Replayed deliveries',
  'webhook.delete': 'Deleted a webhook',
  'job.start': 'Started a job',
  'job.stop': 'Stopped a job',
  'job.restart': 'Restarted a job',
  'audit.summary': 'Many refusals, told as one',
  unsupported: 'Asked for what is not offered',
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
