import { z } from 'zod'
import { readData } from '../../foundation/files/data-file.ts'

/** A town where demonstration expressions come from; position from GeoNames (CC BY 4.0), rounded to 0.001 degrees. */
const Place = z.strictObject({
  city: z.string().min(1),
  country: z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code'),
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  /** how often it comes up beside the others of its language */
  weight: z.number().positive(),
})
export type DemonstrationPlace = Readonly<z.output<typeof Place>>

/** By the language that its citizens write in here. */
export const demonstrationPlaces: Readonly<Record<'fr' | 'en' | 'ar', readonly DemonstrationPlace[]>> = readData(
  'demonstration/expressions/places.json',
  z.strictObject({ fr: z.array(Place), en: z.array(Place), ar: z.array(Place) }),
)
