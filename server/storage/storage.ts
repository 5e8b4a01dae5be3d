import { env } from '#server/lib/env.ts'
import { openFolder } from './folder.ts'
import { openBucket } from './bucket.ts'
import type { Storage } from './file-storage.ts'

let opened: Storage | undefined

/** Returns the file storage that the settings select: the S3-compatible bucket S3_BUCKET, else the files under DATA_DIR. */
export const storage = (): Storage => (opened ??= env.S3_BUCKET ? openBucket() : openFolder(`${env.DATA_DIR}/files`))
