export { receivePicture } from './receive.ts'
export { reencodeImage } from './reencode.ts'
export { pictureKeys, storePicture } from './store.ts'
