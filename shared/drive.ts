import { z } from 'zod'

/** The media type that makes a drive file a folder. */
export const DRIVE_FOLDER = 'application/vnd.google-apps.folder'

/** Said when the files of a drive cannot be listed, and when an authorisation cannot be completed; a reason may follow. */
export const DRIVE_LIST_FAILED = 'Failed to fetch Google Drive files'
export const DRIVE_AUTH_FAILED = 'Failed to process Google authorization'
/** The authorisation is missing or has expired (Google's last an hour): only a new one helps. */
export const DRIVE_NOT_AUTHORISED = 'Not authenticated with Google Drive'
/** Said when what a drive sends as a file is none. */
export const DRIVE_FILE_INVALID = 'Invalid file data received'

/** A file or folder of a person's cloud drive. */
export const driveFile = z.object({
  id: z.string(),
  name: z.string(),
  mimeType: z.string(),
  /** Bytes; null for folders and where the drive does not say. */
  size: z.number().int().nullish(),
})
export type DriveFile = z.output<typeof driveFile>

export const isFolder = ({ mimeType }: Pick<DriveFile, 'mimeType'>) => mimeType === DRIVE_FOLDER

/** What a browser needs to ask for an authorisation; null where the operator has not set up Google Drive. */
export const driveSettings = z.object({ auth_url: z.string(), client_id: z.string(), scope: z.string() }).nullable()

/** One file of a drive to be imported into a project. */
export const driveImport = z.object({
  project_id: z.uuid('Project not found'),
  access_token: z.string().min(1, DRIVE_NOT_AUTHORISED).max(4096),
  file_id: z.string().min(1).max(200),
  file_name: z.string().min(1).max(500),
})
