import { EngineFault } from '../engines/engine-fault.js'
import type { WriterEngine } from '../engines/writer/writer-engine.js'
import type { SessionId } from '../kernel/ids.js'
import type { PipelineParts } from './pipeline-parts.js'

/**
 * What the writer cannot do is quoted instead, if the operator chose so. A server that is away is waited for; what a model
 * refuses or cannot do would be the same an hour later.
 */
export async function withFallback<Made>(
  { writer, fallbackWriter, log }: PipelineParts,
  sessionId: SessionId,
  work: (writer: WriterEngine) => Promise<Made>,
): Promise<{ made: Made; writer: WriterEngine }> {
  try {
    return { made: await work(writer), writer }
  } catch (error) {
    const isFinal = error instanceof EngineFault && !error.isTransient
    if (!isFinal || fallbackWriter === null) throw error
    log.warn({ err: error, sessionId }, 'it is quoted instead of written')
    return { made: await work(fallbackWriter), writer: fallbackWriter }
  }
}
