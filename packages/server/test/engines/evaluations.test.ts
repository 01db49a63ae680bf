import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const evaluate = async (name: string, ...args: string[]): Promise<string> => {
  const script = fileURLToPath(new URL(`../../../../eval/${name}.js`, import.meta.url))
  return (await promisify(execFile)(process.execPath, [script, ...args])).stdout
}

test('one session of the evaluations of notes is measured to its end', async () => {
  expect(await evaluate('extract', '--only', 's-03')).toMatch(/whole-s: facts \d+/)
  expect(await evaluate('prose', '--only', 'wa-07')).toMatch(/sessions replayed: 1; stale answers: 0/)
})
