import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

const readBlocks = (file: string, language: string): string => {
  const text = readFileSync(join(root, file), 'utf8')
  const blocks = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))]
  expect(blocks.length).toBeGreaterThan(2)
  return blocks.map(([, code = '']) => code).join('\n')
}

it('the code in the README of the SDK for TypeScript fits the SDK', () => {
  // In here, where the package is found by its name.
  const folder = mkdtempSync(join(root, 'packages/server/test/sdk/.readme-'))
  const given = `
declare const [apiKey, clientId, clientSecret, clinicianId, clinicId]: string[] & [string, string, string, string, string]
declare const rawBody: Uint8Array
declare const request: { headers: Headers }
`
  try {
    writeFileSync(join(folder, 'readme.mts'), given + readBlocks('packages/sdk/README.md', 'ts'))
    const options = [
      '--noEmit',
      '--ignoreConfig',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
    ]
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const said = spawnSync(process.execPath, [tsc, ...options, 'readme.mts'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(said.stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it('the code in the README of the SDK for Python can be read by Python, and names what there is', ({
  skip,
}) => {
  skip(!hasPython, 'no python3 on this machine')
  const code = readBlocks('sdk/python/README.md', 'python')
  const program = 'import ast, sys; ast.parse(sys.stdin.read())'
  execFileSync('python3', ['-c', program], { input: code })
  const imports = [...code.matchAll(/^from casenote import .+$/gm)].map(([line]) => line)
  expect(imports.length).toBeGreaterThan(1)
  const env = { ...process.env, PYTHONPATH: join(root, 'sdk/python/src'), PYTHONDONTWRITEBYTECODE: '1' }
  execFileSync('python3', ['-c', imports.join('\n')], { env })
})
