import type { NoteSection } from '@casenote/contract'
import type { Tx } from '../../kernel/db/database.js'
import type { GenerationId } from '../../kernel/ids.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { readSections } from './describe-note.js'
import { findLockedGeneration } from './get-generation.js'
import { draftPlace } from './note-content.js'
import { updateDraft } from './note-generations.sql.js'

/** Sections appear one by one while generating; one that is stored again takes its old place. False: fenced off. */
export async function storeSection(
  tx: Tx,
  ring: TenantKeyRing,
  { generationId, section }: { generationId: GenerationId; section: NoteSection },
): Promise<boolean> {
  const locked = await findLockedGeneration(tx, generationId)
  if (locked === null) return false
  const sections = readSections(ring, locked.note)
  const index = sections.findIndex(({ key }) => key === section.key)
  if (index < 0) sections.push(section)
  else sections[index] = section
  const sealed = sealJson(ring.forClient(locked.note.clientId), draftPlace(generationId), sections)
  await tx.run(updateDraft(tx.tenant, generationId, sealed))
  tx.announce('casenote_sessions')
  return true
}
