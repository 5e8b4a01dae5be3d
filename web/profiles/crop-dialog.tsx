import { useEffect, useState } from 'react'
import Cropper from 'react-easy-crop'
import type { Area } from 'react-easy-crop'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { cropSquare } from './crop-square.ts'

/** The dialog that crops a picture to a square. The arrow keys move the picture, and the slider zooms it. */
export function CropDialog({
  file,
  busy,
  onCancel,
  onCropped,
  onUnreadable,
}: {
  file: File
  busy: boolean
  onCancel: () => void
  onCropped: (square: File) => void
  onUnreadable: () => void
}) {
  const [url, setUrl] = useState<string>()
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    // The cropper does not report an unreadable picture.
    createImageBitmap(file).then((bitmap) => bitmap.close(), onUnreadable)
    return () => URL.revokeObjectURL(made)
  }, [file, onUnreadable])
  const use = () => {
    if (url && area) cropSquare(url, area).then(onCropped, onUnreadable)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onCancel()}
      locked={busy}
      title="Crop picture"
      about="Drag the picture or use the arrow keys. Others see the part in the circle."
    >
      <div className="relative mt-4 h-72 overflow-hidden rounded-md">
        {url ? (
          <Cropper
            image={url}
            crop={crop}
            zoom={zoom}
            aspect={1}
            cropShape="round"
            showGrid={false}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={(_part, pixels) => setArea(pixels)}
            cropperProps={{ role: 'group', 'aria-label': 'Part of the picture' }}
          />
        ) : null}
      </div>
      <label className="mt-4 mb-1.5 flex items-center gap-3 font-[530]">
        Zoom
        <input
          type="range"
          className="w-full accent-primary"
          min={1}
          max={3}
          step={0.05}
          value={zoom}
          onChange={(event) => setZoom(Number(event.currentTarget.value))}
        />
      </label>
      <DialogActions>
        <Button variant="ghost" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="primary" disabled={busy || !area} onClick={use}>
          {busy ? 'Saving...' : 'Use picture'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
