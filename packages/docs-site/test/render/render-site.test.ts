import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { OpenApiDocument } from '../../src/render/reference/open-api.js'
import { renderSite } from '../../src/render/render-site.js'

const root = new URL('../../../../', import.meta.url)
const readGuide = (file: string): string => readFileSync(new URL(file, root), 'utf8')

it('the pages cannot be built with a link to a file that is not there', () => {
  const read = (file: string): string =>
    file === 'docs/site/overview.md' ? '# Overview\n\n[gone](../gone.md)' : readGuide(file)
  expect(() => renderSite({ paths: {} } as OpenApiDocument, read)).toThrow(/docs\/gone\.md/)
})
