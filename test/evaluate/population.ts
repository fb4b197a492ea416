import { differentPersons, drawFace, drawGroup, type Look } from '../../demonstration/documents/selfie.ts'

/** People by number, with their faces for selfies and documents. */
export interface Population {
  /** @param style - capture style of a drawn face   @returns JPEG */
  selfie(person: number, style?: Look): Promise<Buffer>
  /** Both people on one image. */
  together(one: number, other: number): Promise<Buffer>
  /** Printed portrait: `data:image/jpeg;base64,…`; absent: a drawing. */
  portrait(person: number): Promise<string | undefined>
  /** The number of another person. */
  another(person: number): number
}

/** Drawn people: three pairs that the face models are known to distinguish. */
export const drawnPeople: Population = {
  selfie: drawFace,
  together: (one, other) => drawGroup([one, other]),
  portrait: async () => undefined,
  another: (person) => {
    const others = differentPersons.filter((each) => each !== person)
    return others.length === differentPersons.length ? 5 : (others[0] ?? 5)
  },
}
