import { engineTexts } from '../../texts/texts.js'
import { EngineError, type Recorder } from '../engine.js'
import { closeGaps } from './gaps.js'
import { lockRecording } from './lock-recording.js'
import { readFiles } from './read-files.js'
import { withSession, type Ready, type RecorderParts } from './recorder-parts.js'
import type { RecordingRow } from './recording-row.js'
import type { TabRecording } from './tab-recording.js'

interface Parts extends Pick<RecorderParts, 'raise'> {
  require: () => Ready
  record: TabRecording['record']
  throwAway: (recordingId: string) => Promise<void>
  tell: () => void
}

type Unfinished = Pick<Recorder, 'resumeUnfinished' | 'finishUnfinished' | 'discardUnfinished' | 'readFiles'>

/** What becomes of recordings on this device that no tab makes any more. */
export function makeUnfinished({ require, record, throwAway, tell, raise }: Parts): Unfinished {
  async function find(recordingId: string): Promise<RecordingRow> {
    const { recordings, vault } = require()
    const row = await recordings.find(recordingId)
    if (row === undefined || row.clinicianId !== vault.clinicianId) {
      throw new EngineError(engineTexts.recordingGone, 404)
    }
    return row
  }

  return {
    async resumeUnfinished(recordingId) {
      const { recordings, vault } = require()
      const row = await find(recordingId)
      const details = await recordings.readDetails(vault, row)
      await recordings.change(recordingId, closeGaps)
      const { detail } = await record(async () => row, { ...details, deviceId: null })
      raise('recordingStarted', withSession(detail, row.sessionId))
    },

    async finishUnfinished(recordingId, isKept) {
      const { recordings, vault, outbox } = require()
      await find(recordingId)
      await whileLocked(recordingId, () => recordings.end(recordingId, isKept))
      return { sessionId: await outbox.send(vault, recordingId) }
    },

    async readFiles(recordingId) {
      const { recordings, vault } = require()
      return readFiles(recordings, vault, await find(recordingId))
    },

    async discardUnfinished(recordingId) {
      await find(recordingId)
      await whileLocked(recordingId, () => throwAway(recordingId))
      tell()
    },
  }
}

async function whileLocked(recordingId: string, work: () => Promise<void>): Promise<void> {
  const release = await lockRecording(recordingId)
  if (release === null) throw new EngineError(engineTexts.openElsewhere, 0)
  try {
    await work()
  } finally {
    release()
  }
}
