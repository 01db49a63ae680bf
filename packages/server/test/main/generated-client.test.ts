import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { makeTestService } from '../support/test-service.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const client = `${root}packages/reference-client/`
const run = promisify(execFile)

it('a client generated from openapi.json compiles and works', { timeout: 120_000 }, async () => {
  const service = await makeTestService()
  const folder = await mkdtemp(join(tmpdir(), 'casenote-client-'))
  try {
    const partner = await service.addPartner()
    await service.api.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = service.api.app.server.address() as AddressInfo

    await cp(`${client}src/tour.ts`, join(folder, 'tour.ts'))
    await symlink(`${root}node_modules`, join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const generator = `${client}node_modules/openapi-typescript/bin/cli.js`
    await run(process.execPath, [generator, `${root}openapi.json`, '-o', join(folder, 'generated.ts')])
    const strict = [
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--skipLibCheck',
      '--types',
      'node',
    ]
    await run(process.execPath, [
      `${client}node_modules/typescript/bin/tsc`,
      ...strict,
      join(folder, 'tour.ts'),
    ])
    const { apiKey, credentialId, clientSecret } = partner
    const baseUrl = `http://127.0.0.1:${port}/v2`
    const { stdout } = await run(process.execPath, [
      join(folder, 'tour.js'),
      baseUrl,
      apiKey,
      credentialId,
      clientSecret,
    ])
    expect(JSON.parse(stdout)).toEqual({ environment: 'sandbox', name: 'Organization', missing: 404 })
  } finally {
    await rm(folder, { recursive: true, force: true })
    await service.close()
  }
})
