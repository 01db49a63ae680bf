import { createHash } from 'node:crypto'
import { NOTE_TYPES } from '@casenote/contract'
import { builtInTemplate } from './templates/built-in-templates.js'

/** Kept on every note: another set of sections has another. */
export const templatesVersion = createHash('sha256')
  .update(JSON.stringify(NOTE_TYPES.map((type) => builtInTemplate(type))))
  .digest('hex')
  .slice(0, 12)
