import path from 'node:path'
import type { Config } from '#server/platform/services.ts'
import { diskStorage } from '#server/platform/storage/disk-storage.ts'
import { s3Storage } from '#server/platform/storage/s3-storage.ts'
import type { Storage } from '#server/platform/storage/storage.ts'

/** Where this installation keeps its files. */
export function storageFor({ files, dataFolder }: Pick<Config, 'files' | 'dataFolder'>): Storage {
  return files === null ? diskStorage(path.join(dataFolder, 'files')) : s3Storage(files)
}
