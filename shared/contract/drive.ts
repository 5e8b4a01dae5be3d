import { z } from 'zod'

/** Media type of a folder in Google Drive. */
export const DRIVE_FOLDER = 'application/vnd.google-apps.folder'

/** Errors for a failed listing of files and for a failed authorization. The reason may be appended. */
export const DRIVE_LIST_FAILED = 'Failed to fetch Google Drive files'
export const DRIVE_AUTH_FAILED = 'Failed to process Google authorization'
/**
 * Error if the access token is missing or has expired (Google's tokens are valid for one hour). The user must authorize again.
 */
export const DRIVE_NOT_AUTHORIZED = 'Not authenticated with Google Drive'
/** Error when the response of Google Drive is not a file. */
export const DRIVE_FILE_INVALID = 'Invalid file data received'

/** A file or folder in a user's cloud drive. */
export const driveFile = z.object({
  id: z.string(),
  name: z.string(),
  mimeType: z.string(),
  /** Bytes; null for folders and when the drive does not state the size. */
  size: z.number().int().nullish(),
})
export type DriveFile = z.output<typeof driveFile>

/** Returns whether a file of the drive is a folder. */
export const isFolder = ({ mimeType }: Pick<DriveFile, 'mimeType'>) => mimeType === DRIVE_FOLDER

/** OAuth settings that the browser needs; null when the operator has not set up Google Drive. */
export const driveSettings = z.object({ auth_url: z.string(), client_id: z.string(), scope: z.string() }).nullable()

/** Body of the import of one drive file into a project. */
export const driveImport = z.object({
  project_id: z.uuid('Project not found'),
  access_token: z.string().min(1, DRIVE_NOT_AUTHORIZED).max(4096),
  file_id: z.string().min(1).max(200),
  file_name: z.string().min(1).max(500),
})
