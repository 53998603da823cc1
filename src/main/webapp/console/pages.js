// The pages, in the order of the rail. `needs`: whoever has one of these permissions may use it.
// `styles`: the style sheets it needs besides the frame's. `wide`: it uses the full width.
const READ = 'snapshots:read'
const USE = 'sandboxes:use'
const MANAGE = 'sandboxes:manage'
const ADMIN = 'project:admin'
const SERVICE = 'service:admin'

/** Having access to Agent Sandboxes is having one of these. */
export const GATE = [READ, USE, MANAGE]

export const AREA = 'AI Runtime'
export const GROUP = 'Agent Sandboxes'

/** What AI Runtime > Agent Sandboxes has. */
export const SANDBOX_PAGES = [
  { name: 'workbench', title: 'Workbench', needs: [USE], wide: true, styles: ['files', 'workbench'], load: () => import('./workbench.js') },
  { name: 'snapshots', title: 'Snapshots', needs: [READ], styles: ['lists', 'snapshots'], load: () => import('./snapshots.js') },
  { name: 'sandboxes', title: 'Sandboxes', needs: [USE], styles: ['lists', 'sandboxes'], load: () => import('./sandboxes.js') },
  { name: 'volumes', title: 'Volumes', needs: [USE, READ], styles: ['lists', 'files', 'volumes'], load: () => import('./volumes.js') },
  { name: 'storage', title: 'Storage', needs: [READ], styles: ['lists', 'snapshots', 'storage'], load: () => import('./storage.js') },
]

/** What is below it, for those who may. */
export const ADMIN_PAGES = [
  { name: 'keys', title: 'Keys', needs: [ADMIN, SERVICE], styles: ['lists', 'admin'], load: () => import('./keys.js') },
  { name: 'limits', title: 'Limits', needs: [ADMIN, SERVICE], styles: ['lists', 'admin'], load: () => import('./limits.js') },
  { name: 'audit', title: 'Audit', needs: [ADMIN, SERVICE], styles: ['lists', 'admin'], load: () => import('./audit.js') },
  { name: 'webhooks', title: 'Webhooks', needs: [ADMIN, SERVICE], styles: ['lists', 'admin'], load: () => import('./webhooks.js') },
  { name: 'projects', title: 'Projects', needs: [SERVICE], styles: ['lists', 'admin'], load: () => import('./projects.js') },
]

/** Pages without an entry in the rail. */
const OTHERS = [{ name: 'help', title: 'Help', needs: GATE, load: () => import('./help.js') }]

const ALL = [...SANDBOX_PAGES, ...ADMIN_PAGES, ...OTHERS]

export const pageOf = (name) => ALL.find((each) => each.name === name)
