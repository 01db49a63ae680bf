import { readCorrected } from '../features/transcripts/index.js'
import type { Job } from '../jobs/jobs.sql.js'
import type { Tx } from '../kernel/db/database.js'
import type { PipelineParts } from './pipeline-parts.js'

/** How often words of the session were put right before a step reads them. */
export const countCorrected = async (parts: PipelineParts, job: Job): Promise<number> =>
  (await parts.db.write(job, (tx) => readCorrected(tx, job.subjectId))).total

/** Whoever put something right while the step ran could not ask for it: a job that runs is left as it is. */
export const isCorrectedSince = async (tx: Tx, { subjectId }: Job, total: number): Promise<boolean> =>
  (await readCorrected(tx, subjectId)).total !== total
