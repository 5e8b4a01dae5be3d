export { base64Json } from './base64-json.ts'
export { listDrive, openDrive, openDriveFile } from './service.ts'
