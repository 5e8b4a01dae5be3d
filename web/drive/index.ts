export { DriveCallbackPage } from './callback-page.tsx'
export { DriveButton } from './drive-button.tsx'
