import type { DangerMatter, TopicScores } from '../reading.js'

/** What the encoder tells apart, and the rules tell apart further: thoughts of suicide and cutting are one topic to it. */
export const DANGER_TOPICS = ['risk_self', 'risk_others', 'abuse', 'psychosis'] as const
export type DangerTopic = (typeof DANGER_TOPICS)[number]

export const topicOf = (matter: DangerMatter): DangerTopic =>
  matter === 'suicide' || matter === 'self_harm'
    ? 'risk_self'
    : matter === 'harm_to_others'
      ? 'risk_others'
      : matter

/** A measure for how much an item is about danger of whatever kind. */
export const highestDanger = (scores: TopicScores): number =>
  Math.max(...DANGER_TOPICS.map((topic) => scores[topic] ?? 0))
