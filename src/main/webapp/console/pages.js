// The pages, in the order of the rail. `needs`: whoever has one of these permissions may use it.
// `style`: it has a style sheet called like its module. `besides`: it shares that page's. `wide`: it uses the full width.
const READ = 'snapshots:read'
const USE = 'sandboxes:use'
const MANAGE = 'sandboxes:manage'

/** Having access to Agent Sandboxes is having one of these. */
export const GATE = [READ, USE, MANAGE]

export const AREA = 'AI Runtime'
export const GROUP = 'Agent Sandboxes'

/** What AI Runtime > Agent Sandboxes has. */
export const SANDBOX_PAGES = [
  { name: 'workbench', title: 'Workbench', needs: [USE], wide: true, load: () => import('./workbench.js') },
  { name: 'snapshots', title: 'Snapshots', needs: [READ], style: true, load: () => import('./snapshots.js') },
  { name: 'sandboxes', title: 'Sandboxes', needs: [USE], style: true, besides: 'snapshots', load: () => import('./sandboxes.js') },
  { name: 'storage', title: 'Storage', needs: [READ], style: true, besides: 'snapshots', load: () => import('./storage.js') },
]

/** What is below it, for those who may. */
export const ADMIN_PAGES = []

/** Pages without an entry in the rail. */
const OTHERS = [{ name: 'help', title: 'Help', needs: GATE, load: () => import('./help.js') }]

const ALL = [...SANDBOX_PAGES, ...ADMIN_PAGES, ...OTHERS]

export const pageOf = (name) => ALL.find((each) => each.name === name)
