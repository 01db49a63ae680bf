import { expect, it } from 'vitest'
import type { Job } from '../../src/jobs/jobs.sql.js'
import { findRoom, type Lane, type Running } from '../../src/jobs/share-places.js'
import { LANES, makeLiveLanes } from '../../src/pipeline/pipeline.js'

/** A clinician who waits for a recording of an hour notices no more than this. */
const turnMostMs = 600_000

/** What a tenant with any number of jobs, none of which ends, holds of a lane at the most. */
function fill(lane: Lane, tenantId: string): Running[] {
  const running: Running[] = []
  for (;;) {
    const room = findRoom(lane, running, 0)
    if (room === null || room.passedOver.includes(tenantId)) return running
    running.push({ job: { tenantId } as Job, controller: new AbortController(), startedMs: 0 })
  }
}

it.each([...LANES, ...makeLiveLanes(4)].map((lane) => [lane.kinds.join(', '), lane] as const))(
  'a tenant whose jobs do not end keeps no other from a place: %s',
  (_kinds, lane) => {
    const room = findRoom(lane, fill(lane, 'hostile'), turnMostMs)
    expect(room).not.toBeNull()
    expect(room?.passedOver).not.toContain('other')
  },
)

it('a worker that follows no recordings leaves them to others, and finishes what others heard', () => {
  const kinds = [...LANES, ...makeLiveLanes(0)].flatMap((lane) => lane.kinds)
  expect(kinds).not.toContain('hear_live')
  expect(kinds).toContain('finish_live')
})
