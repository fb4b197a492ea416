import { dimensions, type FaceTemplate, type TemplateModel } from '../../../../subgraphs/verification/duplicates/face-template.ts'

/** A synthetic face at a large distance from all others, along its own axis. @param shift - variation of this photograph */
export function madeFace(person: number, shift = 0, model: TemplateModel = 'dlib'): FaceTemplate {
  const vector = new Float32Array(dimensions)
  vector[person % dimensions] = 1
  vector[(person + 1) % dimensions] = shift
  return { model, vector }
}
