import { connect, type Socket } from 'node:net'
import { Refusal } from '#contract/core/errors.ts'
import type { Services } from '#server/platform/services.ts'

const silenceMs = 60_000
const chunkBytes = 64 * 1024
const retryAfterS = 30
const longestReply = 4096

/**
 * Has a file looked through by the clamd that the operator has named, before anything of it is kept. Without one nothing happens.
 * @throws Refusal file-infected, scanner-unreachable: what could not be looked through is not kept
 */
export async function scanFile({ config, log }: Pick<Services, 'config' | 'log'>, bytes: Uint8Array): Promise<void> {
  if (config.scanner === undefined) return
  const reply = await ask(config.scanner, bytes).catch((error: unknown) => {
    log.error({ err: error }, 'the scanner could not be asked')
    throw new Refusal('scanner-unreachable', { retry_after_s: retryAfterS })
  })
  if (/^stream: OK$/.test(reply)) return
  const [, found] = /^stream: (.+) FOUND$/.exec(reply) ?? []
  if (found !== undefined) {
    log.warn({ signature: found.slice(0, 100) }, 'a file with a virus was refused')
    throw new Refusal('file-infected')
  }
  log.error({ reply: reply.slice(0, 100) }, 'the scanner gave an answer that nobody understands')
  throw new Refusal('scanner-unreachable', { retry_after_s: retryAfterS })
}

/** One question by clamd's `INSTREAM`: chunks, each after its length, and an empty one at the end. */
async function ask({ host, port }: { host: string; port: number }, bytes: Uint8Array): Promise<string> {
  const socket = connect({ host, port })
  socket.setTimeout(silenceMs, () => socket.destroy(new Error('the scanner says nothing')))
  try {
    const replied = replyOf(socket)
    // It may answer before it has heard everything, and then hears no more.
    await Promise.race([send(socket, bytes), replied])
    return await replied
  } finally {
    socket.destroy()
  }
}

function replyOf(socket: Socket): Promise<string> {
  const reply = new Promise<string>((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      text = (text + part).slice(0, longestReply)
      if (text.includes('\0')) resolve(text.slice(0, text.indexOf('\0')).trim())
    })
    socket.on('end', () => resolve(text.trim()))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the scanner hung up')))
  })
  reply.catch(() => {})
  return reply
}

async function send(socket: Socket, bytes: Uint8Array): Promise<void> {
  await write(socket, Buffer.from('zINSTREAM\0'))
  for (let from = 0; from < bytes.byteLength; from += chunkBytes) {
    const chunk = bytes.subarray(from, from + chunkBytes)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.byteLength)
    await write(socket, length)
    await write(socket, chunk)
  }
  await write(socket, Buffer.alloc(4))
}

function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))
}
