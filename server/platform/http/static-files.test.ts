import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-dist-'))
const distFolder = path.join(folder, 'dist')

beforeAll(async () => {
  fs.mkdirSync(path.join(distFolder, 'assets'), { recursive: true })
  const put = (name: string, text: string) => fs.writeFileSync(path.join(distFolder, name), text)
  put('index.html', '<!doctype html><title>Lorgnette</title>')
  put('sw.js', 'self')
  put('assets/main-abc123.js', 'export {}')
  put('assets/decode-worker-abc123.js', 'export {}')
  put('assets/main-abc123.js.br', 'not really brotli')
  put('.hidden', 'secret')
  put('assets/main-abc123.js.map', '{"sources":[]}')
  put('assets/main-abc123.js.map.br', 'not really brotli')
  fs.writeFileSync(path.join(folder, 'secrets.json'), 'secret')
  server = await startTestServer({ config: { distFolder } })
})
afterAll(async () => {
  await server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

describe('the app’s own files', () => {
  test('with a hash in their name are kept forever', async () => {
    const answer = await server.request('GET', '/assets/main-abc123.js')
    expect(await answer.text()).toBe('export {}')
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test.each(['/assets/main-abc123.js.map', '/assets/main-abc123.js.map.br', '/assets/main-abc123.js.m%61p'])(
    'do not include the source map %s',
    async (name) => {
      expect((await server.request('GET', name)).status).toBe(404)
    },
  )

  test('may not compile WebAssembly, except the thread that reads codes from pictures, which may do nothing else', async () => {
    const policyOf = async (name: string) => (await server.request('GET', name)).headers.get('content-security-policy')
    for (const page of ['/', '/assets/main-abc123.js']) expect(await policyOf(page)).not.toContain('wasm')
    expect(await policyOf('/assets/decode-worker-abc123.js')).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    )
  })

  test('let a page run only the scripts in it', async () => {
    const text = 'document.documentElement.dataset.theme = "dark"'
    fs.writeFileSync(
      path.join(distFolder, 'with-script.html'),
      `<!doctype html><script data-files="/a.js">${text}</script><script type="module" src="/assets/main-abc123.js"></script>`,
    )
    const scriptsOf = async (name: string) =>
      /script-src ([^;]*)/.exec((await server.request('GET', name)).headers.get('content-security-policy') ?? '')?.[1]
    const hash = createHash('sha256').update(text).digest('base64')
    expect(await scriptsOf('/with-script.html')).toBe(`'self' 'sha256-${hash}'`)
    expect(await scriptsOf('/')).toBe("'self'")
    expect(await scriptsOf('/assets/main-abc123.js')).toBe("'self'")
    fs.writeFileSync(path.join(distFolder, 'with-script.html'), '<!doctype html><script>another()</script>')
    expect(await scriptsOf('/with-script.html')).toBe(`'self' 'sha256-${createHash('sha256').update('another()').digest('base64')}'`)
  })

  test('are sent compressed to browsers that accept it', async () => {
    const answer = await server.request('GET', '/assets/main-abc123.js', { headers: { 'accept-encoding': 'gzip, br' } })
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(await answer.text()).toBe('not really brotli')
  })

  test.each(['/', '/index.html', '/sw.js'])('%s is requested again each time', async (file) => {
    const answer = await server.request('GET', file)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const etag = answer.headers.get('etag') ?? ''
    expect((await server.request('GET', file, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test.each(['/login', '/inventory/count-sheets', '/settings/a/b'])('%s is a page of the app', async (page) => {
    const answer = await server.request('GET', page)
    expect(await answer.text()).toContain('<title>Lorgnette')
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test.each(['/assets/gone-123.js', '/assets/x', '/missing.png', '/.hidden', '/%2e%2e/secrets.json', '/..%2fsecrets.json', '/%00', '/%ff'])(
    '%s is not there',
    async (file) => {
      const answer = await server.request('GET', file)
      const text = await answer.text()
      if (answer.status === 200) expect(text).toContain('<title>Lorgnette')
      else expect(answer.status).toBe(404)
      expect(text).not.toContain('secret')
    },
  )

  test('a missing file is 404 and never the app’s page, which a running tab would take for a script', async () => {
    expect((await server.request('GET', '/assets/gone-123.js')).status).toBe(404)
  })

  test('are read-only', async () => {
    expect((await server.request('POST', '/login', { body: {} })).status).toBe(405)
    const head = await server.request('HEAD', '/')
    expect(head.headers.get('content-length')).toBe('39')
    expect(await head.text()).toBe('')
  })
})
