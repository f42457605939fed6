import { AwsClient } from 'aws4fetch'
import { Refusal } from '#contract/core/errors.ts'
import { assertKey, exactly, type Storage } from '#server/platform/storage/storage.ts'

export type S3Settings = { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string }

const retryAfterS = 5
const timeoutMs = 60_000

/** Files in a bucket of a service that speaks S3: Amazon's, MinIO, Ceph and many others. Its certificate protects them on the way. */
export function s3Storage(settings: S3Settings): Storage {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 })
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}/`

  async function ask(method: 'GET' | 'PUT' | 'DELETE', key: string, body?: Uint8Array<ArrayBuffer>): Promise<Response> {
    assertKey(key)
    let answer: Response
    try {
      answer = await client.fetch(base + key, { method, signal: AbortSignal.timeout(timeoutMs), ...(body && { body }) })
    } catch {
      // What it says names the key and the address, which nobody outside needs to hear.
      throw new Refusal('storage-unreachable', { retry_after_s: retryAfterS })
    }
    if (answer.ok || answer.status === 404) return answer
    await answer.body?.cancel()
    if (answer.status >= 500 || answer.status === 429) throw new Refusal('storage-unreachable', { retry_after_s: retryAfterS })
    throw new Error(`the storage answered ${method} with ${answer.status}: see the S3_… settings`)
  }

  return {
    async put(key, bytes, size) {
      // One request with its length and its hash: what is cut off on the way is not kept by the other side.
      const chunks: Uint8Array[] = []
      for await (const chunk of exactly(bytes, size)) chunks.push(chunk)
      const answer = await ask('PUT', key, Buffer.concat(chunks))
      await answer.body?.cancel()
      if (answer.status === 404) throw new Error('the storage has no such bucket: see S3_BUCKET')
    },

    async get(key) {
      const answer = await ask('GET', key)
      if (answer.status !== 404) return answer.body
      await answer.body?.cancel()
      return null
    },

    async delete(key) {
      const answer = await ask('DELETE', key)
      await answer.body?.cancel()
    },
  }
}
