import { nameByPlace } from '@casenote/contract'
import type { Background, Goal, GoalLinks } from '../engines/background.js'
import { makeNameKeeper } from '../engines/text/keep-names-out.js'
import type { NoteGoal } from '../features/progress-notes/index.js'
import { findContext, findSession } from '../features/sessions/index.js'
import { findActivePlan } from '../features/treatment-plans/index.js'
import type { Job } from '../jobs/jobs.sql.js'
import type { PlanId, SessionId } from '../kernel/ids.js'
import type { PipelineParts } from './pipeline-parts.js'

/** What is known beside a session when a note is written. */
export interface Known {
  /** Null: nothing. */
  background: Background | null
  goals: readonly KnownGoal[]
  names: readonly string[]
  /** Takes out of a text the names that must not stand in it. */
  keepNamesOut: (text: string) => string
}

export interface KnownGoal extends Goal {
  treatmentPlanId: PlanId | null
}

/** What is known beside a session: the partner's context, and the open goals of the plan by which the client is treated. */
export async function readKnown(parts: PipelineParts, job: Job, sessionId: SessionId): Promise<Known> {
  const { db } = parts
  const ring = await parts.keys.get(job)
  const session = await findSession(db, job, sessionId)
  const plan = session === null ? null : await findActivePlan(db, ring, session.clientId)
  const { context } = await findContext(db, ring, sessionId)
  const goals: KnownGoal[] = [
    ...(plan?.goals ?? [])
      .filter(({ status }) => status === 'open')
      .map(({ id, text, objectives }) => ({
        goalId: id,
        texts: [text, ...objectives.map((one) => one.text)],
        treatmentPlanId: plan?.treatmentPlanId ?? null,
      })),
    ...context.goals.map(({ goalId, text }, index) => ({
      goalId: goalId ?? nameByPlace(index),
      texts: [text],
      treatmentPlanId: null,
    })),
  ]
  const { diagnoses, medicines, lastPlan, pronouns, namesToKeepOut } = context
  const background = {
    diagnoses,
    medicines,
    goals: goals.flatMap(({ texts }) => texts),
    lastPlan,
    pronouns,
  }
  const isEmpty =
    [...diagnoses, ...medicines, ...goals].length === 0 && lastPlan === null && pronouns === null
  return {
    background: isEmpty ? null : background,
    goals,
    names: namesToKeepOut,
    keepNamesOut: makeNameKeeper(namesToKeepOut),
  }
}

/** The goals that a note speaks to, each as it is worded now: later a note shows what was meant then. */
export const toNoteGoals = (goals: readonly KnownGoal[], links: readonly GoalLinks[] | null): NoteGoal[] =>
  goals.map(({ goalId, texts: [text = '', ...objectives], treatmentPlanId }, index) => ({
    goalId,
    treatmentPlanId,
    text,
    objectives,
    sentences: links?.[index]?.sentences ?? [],
  }))
