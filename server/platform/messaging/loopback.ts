/** Whether a host of an address is this very machine. */
export function isLoopback(host: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]', '::1'].includes(host)
}
