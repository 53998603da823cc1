// What the address of the Snapshots page says: search, filter, order, page, and what is open.

export const LEAST_SEARCH = 3
export const SIZES = [25, 50, 100]
/** As far as the server counts and goes by number; behind that one goes on page by page. */
export const NUMBERED = 10_000

export const STATUSES = [
  ['', 'All'],
  ['saved', 'Saved'],
  ['uploads', 'Uploads'],
  ['awaitingCleanup', 'Awaiting cleanup'],
  ['trashed', 'In the trash'],
]

export const SORTS = [
  ['created-desc', 'Created, newest'],
  ['created-asc', 'Created, oldest'],
  ['size-desc', 'Size, largest'],
  ['size-asc', 'Size, smallest'],
  ['expiry-asc', 'Expiry, soonest'],
  ['expiry-desc', 'Expiry, latest'],
  ['name-asc', 'Name, A to Z'],
  ['name-desc', 'Name, Z to A'],
]

/** What the address says, with what is meant where it says nothing. */
export function asked(route) {
  const of = (name) => route.query.get(name) ?? ''
  const sort = SORTS.some(([word]) => word === of('sort')) ? of('sort') : SORTS[0][0]
  const size = Number(of('size'))
  return {
    search: of('search'),
    status: STATUSES.some(([word]) => word === of('status')) ? of('status') : '',
    sort,
    view: of('view') === 'cards' ? 'cards' : 'list',
    page: Math.max(1, Math.floor(Number(of('page'))) || 1),
    size: SIZES.includes(size) ? size : SIZES[0],
    after: of('after'),
    open: route.item ?? of('open'),
    alone: route.item !== null,
  }
}
