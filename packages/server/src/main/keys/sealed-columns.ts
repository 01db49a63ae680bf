/** A table with sealed columns. The place of a value is its table, these columns of its row joined by slashes, its column. */
export interface SealedTable {
  table: string
  key: readonly { column: string; type: 'uuid' | 'int' | 'text' }[]
  columns: readonly string[]
}

const uuid = (column: string) => ({ column, type: 'uuid' }) as const
const int = (column: string) => ({ column, type: 'int' }) as const
const text = (column: string) => ({ column, type: 'text' }) as const

/** Everything that is sealed in the database; a test compares it with the catalogue. Recordings lie in the blob store. */
export const SEALED_TABLES: readonly SealedTable[] = [
  { table: 'client_secrets', key: [uuid('secret_id')], columns: ['sealed_secret'] },
  { table: 'recording_consents', key: [uuid('consent_id')], columns: ['sealed_person'] },
  { table: 'client_mails', key: [uuid('mail_id')], columns: ['sealed_link'] },
  {
    table: 'assessment_answers',
    key: [uuid('assignment_id'), uuid('answer_id'), text('question_key')],
    columns: ['sealed_answer'],
  },
  { table: 'assessment_scores', key: [uuid('score_id')], columns: ['sealed_result'] },
  { table: 'sessions', key: [uuid('session_id')], columns: ['sealed_file_url'] },
  { table: 'recording_downloads', key: [uuid('session_id')], columns: ['sealed_state'] },
  { table: 'transcription_chunks', key: [uuid('session_id'), int('chunk')], columns: ['sealed_chunk'] },
  { table: 'transcripts', key: [uuid('session_id')], columns: ['sealed_items', 'sealed_speakers'] },
  { table: 'session_texts', key: [uuid('session_id')], columns: ['sealed_text'] },
  { table: 'session_contexts', key: [uuid('session_id')], columns: ['sealed_context'] },
  { table: 'session_pads', key: [uuid('session_id')], columns: ['sealed_pad'] },
  { table: 'live_transcripts', key: [uuid('session_id')], columns: ['sealed_draft'] },
  {
    table: 'transcript_corrections',
    key: [uuid('session_id'), int('number')],
    columns: ['sealed_words'],
  },
  { table: 'writing_preferences', key: [uuid('clinician_id')], columns: ['sealed_preferences'] },
  { table: 'vocabulary_terms', key: [uuid('term_id')], columns: ['sealed_term'] },
  {
    table: 'treatment_plan_versions',
    key: [uuid('plan_id'), int('version')],
    columns: ['sealed_plan'],
  },
  { table: 'session_readings', key: [uuid('session_id')], columns: ['sealed_reading'] },
  {
    table: 'progress_notes',
    key: [uuid('note_id')],
    columns: ['sealed_preferences', 'sealed_judged_sections', 'sealed_judged_review'],
  },
  {
    table: 'note_versions',
    key: [uuid('note_id'), int('version')],
    columns: ['sealed_sections', 'sealed_review', 'sealed_goals'],
  },
  {
    table: 'note_generations',
    key: [uuid('generation_id')],
    columns: ['sealed_sections', 'sealed_instructions', 'sealed_failure'],
  },
  { table: 'danger_items', key: [uuid('item_id')], columns: ['sealed_item', 'sealed_reason'] },
  {
    table: 'danger_left_open',
    key: [uuid('note_id'), uuid('item_id')],
    columns: ['sealed_reason'],
  },
  { table: 'note_addenda', key: [uuid('note_id'), int('number')], columns: ['sealed_text'] },
  { table: 'note_returns', key: [uuid('note_id'), int('number')], columns: ['sealed_reason'] },
  { table: 'mdm_elements', key: [uuid('session_id')], columns: ['sealed_findings'] },
  { table: 'kept_answers', key: [text('key_digest')], columns: ['sealed_answer'] },
  { table: 'summaries', key: [uuid('session_id')], columns: ['sealed_summary'] },
]
