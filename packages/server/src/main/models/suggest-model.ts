import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeModelsFolder, modelsFolder } from '../../engines/models/local/model-store.js'
import { readModelChoice } from '../../engines/models/model-choice.js'
import { findServers, type ServerPlace } from '../../engines/models/openai/find-servers.js'
import { describeServers } from './describe-model.js'

export interface SuggestOptions {
  /** Where this service listens itself. */
  ownPorts: readonly number[]
  /** Where model servers usually listen, if not given. */
  places?: readonly ServerPlace[]
  write: (line: string) => void
}

/**
 * For the first start: one hint how notes become prose, with every server and model that it may be. Returns at once; what it finds is printed when it is there, and
 * nothing when it was printed once, a model was chosen already or anything goes wrong.
 */
export function suggestModel(dataDir: string, options: SuggestOptions): void {
  // A hint is not worth an error.
  void suggest(dataDir, options).catch(() => undefined)
}

async function suggest(dataDir: string, { write, ...where }: SuggestOptions): Promise<void> {
  if ((await readModelChoice(dataDir)) !== null || (await wasGiven(dataDir))) return
  const servers = await findServers(where)
  const able = servers.filter(({ models }) => models.length > 0)
  const lines =
    able.length === 0
      ? ['Notes are extracts of what was said. With a language model they become prose: casenote model list']
      : [
          'Notes are extracts of what was said. Model servers answer on this machine; to let one write them:',
          ...describeServers(able),
        ]
  for (const line of lines) write(line)
  await writeFile(join(await makeModelsFolder(dataDir), markName), '')
}

const markName = 'hint-given'

const wasGiven = (dataDir: string): Promise<boolean> =>
  access(join(modelsFolder(dataDir), markName)).then(
    () => true,
    () => false,
  )
