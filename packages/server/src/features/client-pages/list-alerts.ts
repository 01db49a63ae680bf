import type { WidgetAssessments } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { ClientId } from '../../kernel/ids.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { Catalogue } from '../assessments/index.js'
import { selectAnswersTo } from './answers.sql.js'
import { unsealAnswer } from './sealed-answer.js'
import { wordDanger } from './word-danger.js'

/** Years of a weekly form; a clinician looks at the first. */
const answersMost = 500

type Alert = WidgetAssessments['alerts'][number]

/**
 * Answers about self-harm that a client ever chose, newest first: of finished and of abandoned forms, and also those
 * taken back afterwards. Read from the answers themselves: what is open of them is another list (decision 0023).
 */
export async function listAlerts(
  { db, keys, catalogue }: { db: Database; keys: TenantKeys; catalogue: Catalogue },
  tenant: TenantScope,
  clientId: ClientId,
): Promise<Alert[]> {
  const questionKeys = catalogue
    .list()
    .flatMap(({ questions }) => questions.filter(({ selfHarmFrom }) => selfHarmFrom !== null))
    .map(({ key }) => key)
  const rows = await db.read(tenant, selectAnswersTo(tenant, clientId, { questionKeys, most: answersMost }))
  const ring = await keys.get(tenant)
  const seen = new Set<string>()
  return rows.flatMap((row) => {
    const { assignmentId, assessmentId, questionKey, givenAt } = row
    const { value, language } = unsealAnswer(ring, row)
    const worded = wordDanger(catalogue, row, { questionKey, value, language })
    // Going back and forth over the same answer is one alert: the last time, in whichever language.
    const what = JSON.stringify([assignmentId, questionKey, value])
    if (worded === null || seen.has(what)) return []
    seen.add(what)
    return [
      {
        assignmentId,
        assessmentId,
        name: worded.instrumentName,
        questionDisplay: worded.question,
        answerDisplay: worded.answer,
        answeredAt: givenAt.toISOString(),
      },
    ]
  })
}
