import type { NoteChecker } from '../engines/checker/note-checker.js'
import { LocalModel } from '../engines/models/local/local-model.js'
import { readModelChoice, type ModelChoice } from '../engines/models/model-choice.js'
import { ChatModel } from '../engines/models/openai/chat-model.js'
import type { LanguageModel } from '../engines/models/language-model.js'
import { OpenAiClient } from '../engines/openai-protocol/openai-client.js'
import { makeExtractWriter } from '../engines/writer/extract/extract-writer.js'
import { spreadWriting } from '../engines/writer/spread-writing.js'
import { makeProseWriter } from '../engines/writer/prose/prose-writer.js'
import type { WriterEngine } from '../engines/writer/writer-engine.js'
import { ConfigError, type Config } from '../kernel/config.js'
import { WRITING_PLACES } from '../pipeline/pipeline.js'

const limits = {
  // A local model that reads 20,000 tokens at 200 a second and writes 5,000 at 30 needs 4.5 minutes.
  timeoutMs: 600_000,
  // The windows of a long transcript beside each other; servers batch them.
  concurrencyMax: 4,
} as const

/** The writer that the environment names, or the one that `casenote model use` chose; else quotes. */
export async function openWriter(
  config: Pick<Config, 'writer' | 'dataDir'>,
  checker: NoteChecker,
): Promise<WriterEngine> {
  return makeWriter(await readWriterChoice(config), config.writer.apiKey, checker)
}

/** As many threads as the pipeline has places for writing. */
export const openExtractWriter = (): WriterEngine => spreadWriting(() => makeExtractWriter(), WRITING_PLACES)

export const makeWriter = (
  choice: ModelChoice | null,
  apiKey: string | null,
  checker: NoteChecker,
): WriterEngine =>
  choice === null ? openExtractWriter() : makeProseWriter(openModel(choice, apiKey), checker)

/** What the environment names, or what was chosen; null: quotes. */
export async function readWriterChoice({
  writer,
  dataDir,
}: Pick<Config, 'writer' | 'dataDir'>): Promise<ModelChoice | null> {
  if (writer.engine === 'openai') return writer
  if (writer.engine === 'extract') return null
  const choice = await readModelChoice(dataDir)
  if (writer.engine === 'local' && choice?.engine !== 'local') {
    throw new ConfigError([
      'CASENOTE_WRITER_ENGINE local needs a model: casenote model install, then casenote model use',
    ])
  }
  return choice
}

/**
 * What a process says that only serves the API, whose worker may read other files: where it cannot tell, the widget suggests what
 * works with any writer.
 */
export const namesModel = async (config: Pick<Config, 'writer' | 'dataDir'>): Promise<boolean> => {
  try {
    return (await readWriterChoice(config)) !== null
  } catch (error) {
    if (error instanceof ConfigError) return false
    throw error
  }
}

function openModel(choice: ModelChoice, apiKey: string | null): LanguageModel {
  if (choice.engine === 'local') return new LocalModel(choice.settings)
  const { url, ...settings } = choice
  return new ChatModel(new OpenAiClient({ name: 'writer server', url, apiKey }, limits), settings)
}
