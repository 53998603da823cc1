// Types of events in words, by what they happen to. A type that is not here is shown as the API has it.
export const EVENTS = [
  ['Snapshots', {
    'snapshot.saved': 'A snapshot is saved',
    'snapshot.imported': 'A snapshot is known again from the store',
    'snapshot.expiring': 'A snapshot expires soon',
    'snapshot.expired': 'A snapshot has expired',
    'snapshot.deleted': 'A snapshot is deleted',
    'snapshot.recovered': 'A snapshot is brought back',
    'snapshot.purged': 'A snapshot has left the trash for good',
    'snapshot.pinned': 'A snapshot is pinned',
    'snapshot.unpinned': 'A snapshot is unpinned',
    'snapshot.held': 'A snapshot is held',
    'snapshot.removed': 'The objects of a snapshot are gone',
    'snapshot.parts_changed': 'Stored parts are missing, corrupt or whole again',
    'snapshot.restore_failed': 'A snapshot could not be restored',
    'snapshot.restorable': 'A snapshot can be restored again',
  }],
  ['Captures', {
    'capture.accepted': 'A capture is accepted',
    'capture.completed': 'A capture is completed',
    'capture.failed': 'A capture has failed',
    'capture.cancelled': 'A capture is cancelled',
  }],
  ['Sandboxes', {
    'sandbox.created': 'A sandbox is created',
    'sandbox.started': 'A sandbox runs',
    'sandbox.capture_started': 'A sandbox is being captured',
    'sandbox.capture_ended': 'A sandbox runs on after a capture',
    'sandbox.capture_skipped': 'A policy’s capture was refused',
    'sandbox.pausing': 'A sandbox is being paused',
    'sandbox.paused': 'A sandbox is paused',
    'sandbox.pause_failed': 'A pause has failed',
    'sandbox.resuming': 'A sandbox is being resumed',
    'sandbox.resumed': 'A sandbox is resumed',
    'sandbox.resume_failed': 'A resume has failed',
    'sandbox.restoring': 'A snapshot takes the place of a state',
    'sandbox.restored': 'A sandbox runs from a snapshot',
    'sandbox.restore_failed': 'A restore in place has failed',
    'sandbox.ended': 'A sandbox has ended',
  }],
  ['Volumes', {
    'volume.created': 'A volume is created',
    'volume.deleted': 'A volume is deleted',
  }],
  ['Limits', {
    'quota.warning': 'A limit is nearly reached',
    'quota.repaired': 'What is charged was put right',
  }],
  ['Workers', {
    'worker.registered': 'A worker has started',
    'worker.unreachable': 'A worker is not heard of',
    'worker.reachable': 'A worker is heard of again',
    'worker.lost': 'What a worker ran is given up',
    'worker.draining': 'A worker is being drained',
    'worker.drained': 'Nothing runs on a worker any more',
    'worker.drain_ended': 'A worker is no longer drained',
  }],
  ['Webhooks', { 'webhook.disabled': 'A webhook is disabled' }],
  ['Audit', {
    'audit.verified': 'The chain of the audit is whole',
    'audit.broken': 'The chain of the audit is broken',
  }],
  ['Jobs', {
    'job.started': 'A job has started',
    'job.completed': 'A job is completed',
    'job.stopped': 'A job is stopped',
    'job.failed': 'A job has failed',
  }],
]

const WORDS = Object.assign({}, ...EVENTS.map(([, types]) => types))

export const eventWords = (type) => WORDS[type] ?? type
