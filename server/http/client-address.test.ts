import { describe, expect, test } from 'vitest'
import { originReader } from '#server/http/client-address.ts'

const direct = (remoteAddress: string) => ({ remoteAddress, encrypted: false })

describe('who a request came from', () => {
  test('is who connected, whatever the request says, when that is no proxy of ours', () => {
    const read = originReader([])
    const headers = new Headers({ 'x-forwarded-for': '203.0.113.1', 'x-forwarded-proto': 'https' })
    expect(read(direct('::ffff:198.51.100.7'), headers)).toEqual({ address: '198.51.100.7', isHttps: false })
  })

  test('is the last one before our proxies, and not what the caller made up', () => {
    const read = originReader(['127.0.0.1', '10.0.0.0/8'])
    const headers = new Headers({ 'x-forwarded-for': '1.1.1.1, 203.0.113.1, 10.3.4.5', 'x-forwarded-proto': 'https' })
    expect(read(direct('127.0.0.1'), headers)).toEqual({ address: '203.0.113.1', isHttps: true })
  })

  test('is the proxy itself when it says nothing that is an address', () => {
    const read = originReader(['127.0.0.1'])
    expect(read(direct('127.0.0.1'), new Headers({ 'x-forwarded-for': 'unknown' }))).toEqual({ address: '127.0.0.1', isHttps: false })
  })

  test('cannot be read with a proxy that is not an address', () => {
    expect(() => originReader(['proxy.example'])).toThrow('TRUSTED_PROXIES')
  })
})
