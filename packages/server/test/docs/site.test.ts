import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guidePages, servedFiles } from '../../../docs-site/src/pages.js'
import { makeTestService, type TestService } from '../support/test-service.js'

const manifestFile = new URL('../../../docs-site/dist/site.json', import.meta.url)
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as {
  pages: { path: string }[]
  searchIndex: string
}
const paths = manifest.pages.map(({ path }) => path)

let service: TestService

beforeAll(async () => {
  service = await makeTestService({ env: { CASENOTE_PUBLIC_URL: 'https://notes.example.org' } })
})
afterAll(() => service.close())

const get = (url: string, headers: Record<string, string> = {}) =>
  service.call({ method: 'GET', url, headers })

describe('the pages at /docs', () => {
  it('are every guide of the list and a page for each resource', () => {
    expect(paths).toEqual(expect.arrayContaining(guidePages.map(({ path }) => path)))
    expect(paths).toEqual(expect.arrayContaining(['/docs/reference/sessions', '/docs/reference/events']))
  })

  it.for(paths)(
    '%s names no other host to load from, has nothing inline and may not be framed',
    async (path) => {
      const { body, headers, statusCode } = await get(path)
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(body).not.toMatch(
        /<script(?![^>]* src="\/docs\/assets\/)|<style| style="| on[a-z]+="|src="(?!\/docs\/)/,
      )
      expect(body).not.toMatch(/<link[^>]*href="(?!\/docs\/assets\/|data:,)/)
      for (const part of ["default-src 'none'", "frame-ancestors 'none'", "trusted-types 'none'"]) {
        expect(headers['content-security-policy']).toContain(part)
      }
    },
  )

  it('have the address of the service in their examples, and not the one that the guides are written with', async () => {
    const { body } = await get('/docs/quick-start')
    expect(body).toContain('https://notes.example.org</span>/v2')
    expect(body).not.toContain('localhost:8080')
  })

  it.for([
    '/docs/nothing',
    '/docs/',
    '/docs/guides',
    '/docs/guides/nothing/further',
    '/docs/sdk/nothing.tgz',
  ])('%s is a page of the site that says so, with menu and search', async (path) => {
    const { body, headers, statusCode } = await get(path)
    expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(headers).toMatchObject({
      'casenote-error-code': 'not_found',
      link: '</docs/errors#not_found>; rel="help"',
      'cache-control': 'no-store',
    })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body).toContain('<h1>Page not found</h1>')
    expect(body).toContain('href="/docs/quick-start"')
    expect(body).toContain(`data-search-index="/docs/assets/${manifest.searchIndex}"`)
    expect(body).not.toContain('aria-current')
  })

  it('are all there is: beside them every path is answered as before', async () => {
    for (const url of ['/docsx', '/Docs/nothing', '/v2/docs/nothing'])
      expect([url, (await get(url)).statusCode]).toEqual([url, 403])
    expect((await service.call({ method: 'POST', url: '/docs/nothing' })).statusCode).toBe(403)
  })

  it('lead nowhere that is not there', async () => {
    const pages = new Map(
      await Promise.all(paths.map(async (path) => [path, (await get(path)).body] as const)),
    )
    const others = new Set(['/docs/openapi.json', '/docs/sample-session.ogg'])
    for (const file of Object.values(servedFiles)) {
      expect((await get(file)).headers['content-type']).toBe('text/plain; charset=utf-8')
      others.add(file)
    }
    const broken = [...pages].flatMap(([path, body]) =>
      [...body.matchAll(/href="([/#][^"]*)"/g)]
        .map(([, href = '']) => new URL(href, `http://site${path}`))
        .filter(({ pathname, hash }) => {
          if (others.has(pathname) || pathname.startsWith('/docs/assets/')) return false
          const target = pages.get(pathname)
          return target === undefined || (hash !== '' && !target.includes(`id="${hash.slice(1)}"`))
        })
        .map(({ pathname, hash }) => `${path} → ${pathname}${hash}`),
    )
    expect(broken).toEqual([])
  })

  it('name the packages that the service serves', async () => {
    const { body } = await get('/docs/guides/sdks')
    const names = [...body.matchAll(/\/docs\/sdk\/(casenote-[\w.+-]+\.(?:tgz|whl))/g)].map(([, name]) => name)
    expect(names).toHaveLength(2)
    for (const name of names) expect((await get(`/docs/sdk/${name}`)).statusCode).toBe(200)
    expect(body).not.toContain('casenote-sdk-VERSION')
  })

  it('are asked for again with their tag, and packed for who unpacks', async () => {
    const first = await get('/docs/quick-start')
    expect(first.headers['cache-control']).toBe('no-cache')
    const etag = String(first.headers.etag)
    const again = await get('/docs/quick-start', { 'if-none-match': etag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const packed = await get('/docs/quick-start', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(first.body)
  })

  it('load files whose names change with their content', async () => {
    const { body } = await get('/docs')
    const files = [...body.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
    expect(files).toHaveLength(3)
    for (const file of files) {
      expect((await get(file)).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    }
  })

  it('name nothing of themselves twice', async () => {
    for (const path of paths) {
      const ids = [...(await get(path)).body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect([path, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([path, []])
    }
  })
})
