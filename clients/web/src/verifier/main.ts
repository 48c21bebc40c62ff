import "../ui/theme.css";
import "../ui/fonts.css";
import "../ui/app.css";
import { mount } from "svelte";
import Verifier from "./Verifier.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no #app to mount into");
mount(Verifier, { target });
