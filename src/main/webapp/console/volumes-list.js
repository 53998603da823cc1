// The volumes of the project: all of them, for there are few.
import { get, query } from './http.js'
import { me } from './me.js'

const PAGE = 100
const MOST = 1_000

/** { volumes, quota } */
export async function listVolumes(signal) {
  const volumes = []
  let after
  let quota
  do {
    const page = await get(me.api('volumes') + query({ after, limit: PAGE }), { signal })
    volumes.push(...page.volumes)
    quota = page.quota
    after = page.next
  } while (after && volumes.length < MOST)
  return { volumes, quota }
}
