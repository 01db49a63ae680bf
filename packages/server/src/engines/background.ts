/** What is known of a client beside a session, from charts and plans. A writer may read it; it is never evidence. */
export interface Background {
  diagnoses: readonly string[]
  medicines: readonly string[]
  /** With their objectives, one text each. */
  goals: readonly string[]
  lastPlan: string | null
  pronouns: string | null
}

/** A goal that sentences of a note may speak to. */
export interface Goal {
  goalId: string
  /** The goal, then its objectives. */
  texts: readonly string[]
}

/** One sentence of a note, by its section and its words. */
export interface LinkedSentence {
  section: string
  sentence: string
}

export interface GoalLinks {
  goalId: string
  /** Empty: nothing in the note speaks to it. */
  sentences: LinkedSentence[]
}
