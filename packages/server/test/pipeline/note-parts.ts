import type { Log } from '../../src/kernel/log.js'
import { makeNoteChecker, type NoteChecker } from '../../src/engines/checker/note-checker.js'
import { systemClock } from '../../src/kernel/clock.js'
import { makeLog } from '../../src/kernel/log.js'
import type { PipelineParts } from '../../src/pipeline/pipeline-parts.js'
import { makeRulesReader } from '../engines/session-fixtures.js'
import { makeQuotingWriter } from '../engines/writer/quoting-writer.js'
import type { TestService } from '../support/test-service.js'

export interface NoteParts {
  checker: NoteChecker
  /** What writing needs, with stand-ins for whatever is not given. */
  partsWith(given?: Partial<PipelineParts>): PipelineParts
  close(): Promise<void>
}

export function openNoteParts({ db, keys }: TestService, log: Log = makeLog('silent', 'test')): NoteParts {
  const checker = makeNoteChecker()
  return {
    checker,
    partsWith: (given = {}) => {
      const parts: Partial<PipelineParts> = {
        db,
        keys,
        clock: systemClock,
        publicUrl: 'http://localhost',
        log,
        reader: makeRulesReader(),
        writer: makeQuotingWriter(),
        fallbackWriter: null,
        checker,
        ...given,
      }
      return parts as PipelineParts
    },
    close: () => checker.close(),
  }
}
