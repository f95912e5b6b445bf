import { crc32, deflateSync } from 'node:zlib'
import type { Canvas } from './canvas.ts'

/** Encodes an image as PNG: 8 bits per channel, filter "up". */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const UP_FILTER = 2 // PNG filter that stores the difference to the row above

export const encodePng = ({ width, height, pixels }: Canvas): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const stride = width * 3
  const rows = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y += 1) {
    const at = y * (stride + 1)
    rows[at] = UP_FILTER
    for (let i = 0; i < stride; i += 1) rows[at + 1 + i] = pixels[y * stride + i]! - (y === 0 ? 0 : pixels[(y - 1) * stride + i]!)
  }
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  whole.set(body, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}
