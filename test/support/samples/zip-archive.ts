import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipMember {
  readonly name: string
  readonly content: Uint8Array
  /** Declared sizes, where they differ from the real ones. */
  readonly claims?: { readonly uncompressed?: number; readonly method?: number; readonly flags?: number }
}

/** A zip archive like those of packages: deflated members, then the central directory. */
export function zipArchive(members: readonly ZipMember[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, claims } of members) {
    const packed = deflateRawSync(content)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(claims?.flags ?? 0, 2)
    shared.writeUInt16LE(claims?.method ?? 8, 4)
    shared.writeUInt32LE(crc32(content), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(claims?.uncompressed ?? content.length, 18)
    shared.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([signed(0x04034b50), shared, Buffer.from(name), packed])
    const end = Buffer.alloc(14)
    end.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([signed(0x02014b50), Buffer.from([20, 0]), shared, end, Buffer.from(name)]))
    locals.push(local)
    at += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(members.length, 4)
  end.writeUInt16LE(members.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...locals, list, signed(0x06054b50), end])
}

function signed(signature: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(signature)
  return bytes
}
