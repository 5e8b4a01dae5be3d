export { receivePicture } from './receive.ts'
export { reencodeImage } from './reencode.ts'
export { removePicture, storePicture } from './store.ts'
