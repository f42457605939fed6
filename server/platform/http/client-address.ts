import { BlockList, isIP } from 'node:net'

/** The connection of a request; absent when no network was involved. */
export type Connection = { remoteAddress: string; encrypted: boolean }

/**
 * The sender of a request, and whether it traveled by https. The server trusts only its own proxies. It keeps only the
 * network (/64) of an IPv6 address, because a caller in it has 2^64 addresses for guessing passwords.
 */
export type Origin = { address: string; isHttps: boolean }

/**
 * Returns the reader of origins. `trusted` are addresses or networks (`10.0.0.0/8`) of reverse proxies. @throws for
 * other text.
 */
export function originReader(trusted: readonly string[]): (connection: Connection | null, headers: Headers) => Origin {
  const proxies = new BlockList()
  for (const entry of trusted) {
    const [network = '', bits] = entry.split('/')
    const family = familyOf(network)
    if (family === null) throw new Error(`TRUSTED_PROXIES: ${entry} is not an address or a network`)
    if (bits === undefined) proxies.addAddress(network, family)
    else proxies.addSubnet(network, Number(bits), family)
  }
  const isTrusted = (address: string) => {
    const family = familyOf(address)
    return family !== null && proxies.check(address, family)
  }

  return (connection, headers) => {
    if (connection === null) return { address: '127.0.0.1', isHttps: false }
    const direct = plain(connection.remoteAddress)
    if (!isTrusted(direct)) return { address: networkOf(direct), isHttps: connection.encrypted }
    // Each proxy appends the address that it got the request from. The last one that is no proxy of ours is the caller.
    const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => plain(hop.trim()))
    const caller = hops.findLast((hop) => familyOf(hop) !== null && !isTrusted(hop))
    return { address: networkOf(caller ?? direct), isHttps: headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim() === 'https' }
  }
}

/** Returns true when a connection comes from this very machine. */
export function isLoopback(remoteAddress: string): boolean {
  const address = plain(remoteAddress)
  return address === '::1' || (familyOf(address) === 'ipv4' && address.startsWith('127.'))
}

/** Returns IPv4 addresses in their plain form, also when the socket writes them as IPv6. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Returns the /64 network of an IPv6 address, written as its first address; other addresses unchanged. */
function networkOf(address: string): string {
  if (familyOf(address) !== 'ipv6') return address
  const [withoutZone = ''] = address.split('%')
  // A URL's host is the address in its shortest form, without an IPv4 tail.
  const [front = '', back] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::')
  const groupsOf = (part: string) => part.split(':').filter((group) => group !== '')
  const zeros = back === undefined ? 0 : 8 - groupsOf(front).length - groupsOf(back).length
  const groups = [...groupsOf(front), ...Array<string>(zeros).fill('0'), ...groupsOf(back ?? '')]
  return `${groups.slice(0, 4).join(':')}::`
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6'
}
