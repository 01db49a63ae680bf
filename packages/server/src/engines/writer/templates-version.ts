import { createHash } from 'node:crypto'
import { NOTE_TEMPLATES } from '@casenote/contract'

/** Kept on every note: another set of sections has another. */
export const templatesVersion = createHash('sha256')
  .update(JSON.stringify(NOTE_TEMPLATES))
  .digest('hex')
  .slice(0, 12)
