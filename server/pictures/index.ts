export { receivePicture } from './receive.ts'
export { reencodeImage } from './reencode.ts'
export { pictureKeys, removePicture, storePicture } from './store.ts'
