import { differentPersons, drawFace, drawGroup, type Look } from '../../demonstration/documents/selfie.ts'

/** People by number, whose faces are on selfies and documents. */
export interface Population {
  /** @param style - how the photograph is taken, where it is drawn   @returns JPEG */
  selfie(person: number, style?: Look): Promise<Buffer>
  /** both on one picture */
  together(one: number, other: number): Promise<Buffer>
  /** what is printed on a document: `data:image/jpeg;base64,…`; absent: a drawing */
  portrait(person: number): Promise<string | undefined>
  /** somebody else */
  another(person: number): number
}

/** Drawn ones: of three pairs it is known that the face models hold them apart. */
export const drawnPeople: Population = {
  selfie: drawFace,
  together: (one, other) => drawGroup([one, other]),
  portrait: async () => undefined,
  another: (person) => {
    const others = differentPersons.filter((each) => each !== person)
    return others.length === differentPersons.length ? 5 : (others[0] ?? 5)
  },
}
