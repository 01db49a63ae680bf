import type { DangerFigures } from '../encoder/figures.js'
import { readAnswer } from '../questions/read-answer.js'
import type { DangerFinding, Standing } from '../reading.js'
import type { Turn } from '../talk/read-talk.js'
import type { Talk } from './read-episode.js'

type Read = Pick<DangerFinding, 'standing' | 'time' | 'whose'>

/*
 * From these shares the encoder is believed where the rules say otherwise. On 263 stretches that it was not trained on rules
 * alone had the standing right for 195, both together for 206; the time for 218 and 231, whose it is for 232 and 235.
 */
const deniedAt = 0.5
const clearedAt = 0.5
const timeAt = 0.6
const whoseAt = 0.8

/**
 * Standing, time and person of a finding: what the rules read, unless the encoder is sure that it is otherwise. It makes a
 * denial only of an answer that opens with one: of "most nights I think about killing myself", too, it once said that.
 */
export function settleByFigures(read: Read, items: readonly number[], { turns, figures }: Talk): Read {
  const own = items.flatMap((item) => figures[item] ?? [])
  if (own.length === 0) return read
  return {
    standing: settleStanding(read.standing, {
      opensWithNo: items.some((item) => deniesAtOnce(turns[item])),
      share: (one) => weigh(own, ({ standing }) => standing[one]),
    }),
    time: weigh(own, ({ time }) => time[otherTime[read.time]]) >= timeAt ? otherTime[read.time] : read.time,
    whose:
      weigh(own, ({ whose }) => whose[otherPerson[read.whose]]) >= whoseAt
        ? otherPerson[read.whose]
        : read.whose,
  }
}

const otherTime = { present: 'past', past: 'present' } as const
const otherPerson = { client: 'other', other: 'client' } as const

const deniesAtOnce = (turn: Turn | undefined): boolean =>
  turn !== undefined && turn.role !== 'clinician' && readAnswer(turn.plain) === 'no'

function settleStanding(
  read: Standing,
  { opensWithNo, share }: { opensWithNo: boolean; share: (one: Standing) => number },
): Standing {
  if (read === 'denied') return read
  if (opensWithNo && share('denied') > deniedAt) return 'denied'
  return read === 'unclear' && share('affirmed') > clearedAt ? 'affirmed' : read
}

/** A mean over the items, in which an item weighs more the surer the encoder is that it is about danger. */
function weigh(own: readonly DangerFigures[], shareOf: (figures: DangerFigures) => number): number {
  const weights = own.map(({ sentences }) => leastWeight + Math.max(0, ...sentences))
  const sum = own.reduce((all, figures, at) => all + (weights[at] ?? 0) * shareOf(figures), 0)
  return sum / weights.reduce((all, weight) => all + weight, 0)
}
const leastWeight = 0.05
