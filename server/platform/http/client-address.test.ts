import { describe, expect, test } from 'vitest'
import { originReader } from '#server/platform/http/client-address.ts'

const direct = (remoteAddress: string) => ({ remoteAddress, encrypted: false })

describe('the sender of a request', () => {
  test('is the connected address when that is no proxy of ours, no matter what the request says', () => {
    const read = originReader([])
    const headers = new Headers({ 'x-forwarded-for': '203.0.113.1', 'x-forwarded-proto': 'https' })
    expect(read(direct('::ffff:198.51.100.7'), headers)).toEqual({ address: '198.51.100.7', isHttps: false })
  })

  test('is the last address before our proxies, and not one that the caller invented', () => {
    const read = originReader(['127.0.0.1', '10.0.0.0/8'])
    const headers = new Headers({ 'x-forwarded-for': '1.1.1.1, 203.0.113.1, 10.3.4.5', 'x-forwarded-proto': 'https' })
    expect(read(direct('127.0.0.1'), headers)).toEqual({ address: '203.0.113.1', isHttps: true })
  })

  test('is the proxy when it passes on no valid address', () => {
    const read = originReader(['127.0.0.1'])
    expect(read(direct('127.0.0.1'), new Headers({ 'x-forwarded-for': 'unknown' }))).toEqual({ address: '127.0.0.1', isHttps: false })
  })

  test.each([
    ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::'],
    ['2001:db8:1:2::7', '2001:db8:1:2::'],
    ['2001:0DB8::7', '2001:db8:0:0::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
    ['64:ff9b::198.51.100.7', '64:ff9b:0:0::'],
    ['::1', '0:0:0:0::'],
    ['198.51.100.7', '198.51.100.7'],
  ])('is its network where one has 2^64 addresses: %s', (remoteAddress, address) => {
    expect(originReader([])(direct(remoteAddress), new Headers())).toEqual({ address, isHttps: false })
    const forwarded = new Headers({ 'x-forwarded-for': remoteAddress })
    expect(originReader(['10.0.0.1'])(direct('10.0.0.1'), forwarded).address).toBe(address)
  })

  test('must match a whole address to be a proxy of ours', () => {
    const read = originReader(['2001:db8::1'])
    const headers = new Headers({ 'x-forwarded-for': '203.0.113.1' })
    expect(read(direct('2001:db8::1'), headers).address).toBe('203.0.113.1')
    expect(read(direct('2001:db8::2'), headers).address).toBe('2001:db8:0:0::')
  })

  test('cannot be read with a proxy that is not an address', () => {
    expect(() => originReader(['proxy.example'])).toThrow('TRUSTED_PROXIES')
  })
})
