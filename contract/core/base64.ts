/** Base64, with or without the head of a `data:` address; null when it is neither. */
export function bytesOfBase64(text: string): Uint8Array | null {
  const base64 = text.replace(/^data:image\/[a-z+.-]{1,20};base64,/, '')
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}
