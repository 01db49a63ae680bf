import type { TenantId } from '../../kernel/ids.js'
import type { PassOptions } from '../../kernel/try-each.js'

/** What was looked at last. */
export interface HeldCursor {
  lastTenant: TenantId
  lastId: string
}

export interface HeldPage extends HeldCursor {
  looked: number
}

/** Pages of one run: 200,000 rows where there are so many. */
const pagesMost = 20

const noId = '00000000-0000-0000-0000-000000000000'
const beforeAll: HeldCursor = { lastTenant: noId, lastId: noId }

/**
 * Goes through what tenants with a legal hold have, a page in a statement, and deletes what is due and not held. What is held stays where it
 * lies: the next run goes on behind the last page of this one, and from the beginning once it was through.
 */
export function makePurgeBesideHolds(
  purgePage: (after: HeldCursor) => Promise<readonly HeldPage[]>,
  pageRows: number,
): (options?: PassOptions) => Promise<void> {
  let after = beforeAll
  return async ({ signal } = {}) => {
    for (let pages = 0; pages < pagesMost; pages += 1) {
      if (signal?.aborted === true) break
      const [page] = await purgePage(after)
      if (page === undefined || page.looked < pageRows) {
        after = beforeAll
        return
      }
      after = page
    }
  }
}
